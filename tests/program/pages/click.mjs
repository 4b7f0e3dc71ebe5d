// Opens a page in headless Chromium at three widths, uses it as a reader would, and prints what it saw as JSON:
// click.mjs PLAYWRIGHT PAGE FOLDER, with pictures in FOLDER.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [playwright, page, folder] = process.argv.slice(2);
const { chromium } = (await import(pathToFileURL(playwright))).default;
const FLAGS = "--no-sandbox --disable-gpu --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader --no-first-run --disable-sync";
const address = pathToFileURL(path.resolve(page)).href;
const seen = { errors: [], requests: [], widths: {} };

async function open(flags, work) {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), "pages-"));
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    const context = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: flags.split(" "), chromiumSandbox: false });
    const tab = await context.newPage();
    tab.on("pageerror", (error) => seen.errors.push(String(error)));
    tab.on("console", (message) => { if (message.type() === "error") seen.errors.push(message.text()); });
    tab.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url())) seen.requests.push(request.url()); });
    try {
        return await work(tab);
    } finally {
        await context.close();
        fs.rmSync(profile, { recursive: true, force: true });
    }
}

// The drawing as a number that changes with it.
const drawn = (tab) => tab.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const canvas = document.querySelector(".drawn");
    const gl = canvas.getContext("webgl2");
    const pixels = new Uint8Array(4 * canvas.width * canvas.height);
    gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    let [sum, count] = [0, 0];
    for (let i = 0; i < pixels.length; i += 4) {
        if (pixels[i + 3] > 0) count += 1;
        sum = (sum * 31 + pixels[i] + pixels[i + 1]) % 1000000007;
    }
    return { sum, share: count / (canvas.width * canvas.height) };
});

async function use(tab, width) {
    const facts = {};
    await tab.setViewportSize({ width, height: 800 });
    await tab.goto(address);
    facts.cut = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (!(await tab.$("#view"))) return facts;
    await tab.waitForSelector("#view .whole:not([hidden])");
    facts.cut = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    const names = {};
    for (const select of ["first", "second", "motion"]) names[select] = await tab.$$eval(`[name=${select}] option`, (all) => all.map((one) => one.textContent));
    facts.names = names;
    let before = await drawn(tab);
    facts.share = before.share;
    const changes = (facts.changes = {});
    const does = async (name, step) => {
        await step();
        const now = await drawn(tab);
        changes[name] = now.sum !== before.sum;
        before = now;
    };
    await tab.screenshot({ path: path.join(folder, `${width}-first.png`) });
    const box = await (await tab.$(".stage")).boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await tab.locator(".stage").scrollIntoViewIfNeeded();
    const here = async () => { const now = await (await tab.$(".stage")).boundingBox(); return [now.x + now.width / 2, now.y + now.height / 2]; };
    const [cx, cy] = await here();
    const point = async () => {
        // Some pixel of the middle column shows the surface.
        for (let dy = -0.4; dy <= 0.4; dy += 0.04) {
            await tab.mouse.move(cx - 6, cy + dy * box.height);
            const text = await tab.textContent(".tip");
            if (text) return text;
        }
        return "";
    };
    facts.tip = await point();
    await does("drag", async () => { await tab.mouse.move(cx, cy); await tab.mouse.down(); await tab.mouse.move(cx + 60, cy + 10, { steps: 3 }); await tab.mouse.up(); });
    await does("wheel", () => tab.mouse.wheel(0, -200));
    await does("arrow", () => tab.keyboard.press("ArrowLeft"));
    await does("fit", () => tab.keyboard.press("f"));
    await tab.keyboard.press("j");
    facts.joints = await tab.isChecked("[name=joints]");
    const last = await tab.$eval("[name=motion]", (select) => select.options.length - 1);
    await tab.selectOption("[name=motion]", String(Math.min(last, names.motion.length - 1)));
    const frames = Number(await tab.getAttribute("[name=frame]", "max"));
    facts.frames = frames + 1;
    if (frames > 1) {
        await does("frame", () => tab.$eval("[name=frame]", (input) => { input.value = Math.floor(input.max / 2); input.dispatchEvent(new Event("input")); }));
        await tab.click("[name=play]");
        await tab.waitForTimeout(400);
        const time = await tab.textContent("#view output");
        await tab.waitForTimeout(400);
        facts.plays = (await tab.textContent("#view output")) !== time;
        await tab.click("[name=play]");
    }
    if (names.first.length > 1) {
        await tab.selectOption("[name=first]", "0");
        await tab.selectOption("[name=second]", "1");
        await drawn(tab).then((now) => { before = now; });
        await does("wipe", () => tab.$eval("[name=wipe]", (input) => { input.value = 80; input.dispatchEvent(new Event("input")); }));
        await does("distance", () => tab.selectOption("[name=colour]", "apart"));
        facts.far = await point();
    }
    await does("weights", () => tab.selectOption("[name=colour]", "weight"));
    await tab.screenshot({ path: path.join(folder, `${width}-weights.png`) });
    await tab.selectOption("[name=colour]", "");
    const buttons = await tab.$$("button[data-spot]:not([hidden])");
    facts.buttons = buttons.length;
    if (buttons.length > 0) {
        await does("spot", () => buttons[0].click());
        facts.spot = { motion: await tab.$eval("[name=motion]", (select) => select.selectedOptions[0].textContent), time: await tab.textContent("#view output") };
        await tab.screenshot({ path: path.join(folder, `${width}-spot.png`) });
    }
    return facts;
}

await open(FLAGS, async (tab) => {
    for (const width of [1280, 768, 390]) seen.widths[width] = await use(tab, width);
    await tab.emulateMedia({ colorScheme: "dark" });
    await tab.setViewportSize({ width: 1280, height: 900 });
    await tab.goto(address);
    await tab.waitForTimeout(300);
    await tab.screenshot({ path: path.join(folder, "dark.png"), fullPage: true });
});
// Without WebGL, a sentence takes the place of the drawing.
seen.without = await open("--no-sandbox --disable-gpu --disable-3d-apis --no-first-run --disable-sync", async (tab) => {
    await tab.goto(address);
    await tab.waitForTimeout(300);
    return { hidden: (await tab.$("#view .whole[hidden]")) !== null, says: await tab.evaluate(() => document.querySelector("#view .status")?.textContent ?? "") };
});
console.log(JSON.stringify(seen));

// The way a runner of a JavaScript program is called: RUNNER RIG OUT MODE CLIP TIME…
//
// Without arguments it reads groups of these from standard input, one a line, words apart by tabs, and answers each by a line
// on standard output: `done`, `refused REASON`, `crashed REASON` or `omitted REASON`. A program or a browser is then loaded once.
// It may end with exit 1 after a crash that leaves nothing to go on with.
// With arguments, exit 3 and a line on standard error mean that the program refuses the file; exit 4, that this runner lacks
// something; exit 1, that the program crashed.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

export const here = path.dirname(fileURLToPath(import.meta.url));
export const modules = path.join(process.env.PEERS ?? path.join(here, "../../.deps/peers"), "node_modules");

// Imports a file of an installed package.
export const load = (file) => import(pathToFileURL(path.join(modules, file)));

// The reason in one line. An error that no code of the program throws on purpose is a crash.
function outcome(error) {
    const text = String(error?.message ?? error).split("\n")[0].trim() || String(error);
    const meant = !/TypeError|ReferenceError|RangeError|SyntaxError|Aborted\(|unreachable|out of bounds|has been closed/.test(`${error?.name} ${text}`);
    return `${meant && !error?.crashed ? "refused" : "crashed"} ${text}`;
}

// Programs greet on standard output, which is for answers here.
console.log = console.info = console.error;

// Writes what `skin(rig, clip, times)` returns, a list of moments, for each group. A program that reorders or repeats vertices
// adds `texcoords`. A clip is an index, or null for the rest pose.
// `lacks` names extensions for which this runner, not the program, has no decoder: such cases have no result.
export async function run(skin, { formats = [".glb", ".gltf"], lacks = {} } = {}) {
    let isFatal = false;
    const one = async ([rig, out, mode, clip, ...times]) => {
        if (mode !== "lbs") return `refused no mode ${mode}`;
        const lacked = Object.keys(lacks).find((name) => fs.readFileSync(rig).includes(name));
        if (lacked) return `omitted ${lacks[lacked]}`;
        if (!formats.includes(path.extname(rig))) return `refused no importer of ${path.extname(rig)}`;
        try {
            const moments = await skin(path.resolve(rig), clip === "-" ? null : Number(clip), times.map(Number));
            // JSON has no number for what is none; this one is beyond single precision.
            fs.writeFileSync(out, JSON.stringify(moments, (_, value) => (typeof value !== "number" || Number.isFinite(value) ? value : 1e39)));
            return "done";
        } catch (error) {
            if (process.env.PEERS_STACK) console.error(error);
            isFatal = error?.isFatal;
            return outcome(error);
        }
    };
    if (process.argv.length > 2) {
        const answer = await one(process.argv.slice(2));
        if (answer !== "done") console.error(answer.slice(answer.indexOf(" ") + 1));
        process.exit({ done: 0, refused: 3, omitted: 4 }[answer.split(" ")[0]] ?? 1);
    }
    for await (const line of readline.createInterface({ input: process.stdin })) {
        if (line.trim()) process.stdout.write(`${await one(line.trim().split("\t"))}\n`);
        if (isFatal) process.exit(1);
    }
    process.exit(0);
}

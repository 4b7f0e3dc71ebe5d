// A job type of Flamenco: checks a folder of models, a command per share, and merges the shares. Put the file into the folder
// scripts beside flamenco-manager. Models and output are on storage that all workers share, and sinew is on their path.
const JOB_TYPE = {
    label: "Check characters",
    settings: [
        { key: "models", type: "string", subtype: "dir_path", required: true, description: "Folder of models" },
        { key: "out", type: "string", subtype: "dir_path", required: true, description: "Folder for the results" },
        { key: "shares", type: "int32", default: 64, description: "Number of tasks" },
    ],
};

function command(words) {
    return author.Command("exec", { exe: "sinew", args: ["corpus"].concat(words) });
}

function compileJob(job) {
    const settings = job.settings;
    const merge = author.Task("merge", "misc");
    const folders = [];
    for (let share = 1; share <= settings.shares; share++) {
        const folder = `${settings.out}/share-${share}-of-${settings.shares}`;
        const task = author.Task(`share-${share}`, "misc");
        const shard = `${share}/${settings.shares}`;
        task.addCommand(command(["check", settings.models, "-o", folder, "--shard", shard, "--pages", "0"]));
        job.addTask(task);
        merge.addDependency(task);
        folders.push(folder);
    }
    merge.addCommand(command(["merge"].concat(folders, ["-o", `${settings.out}/all`, "--fail-on", "error"])));
    job.addTask(merge);
}

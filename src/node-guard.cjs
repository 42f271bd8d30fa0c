// Loaded before anything else (`node --require`), in a syntax that every Node version reads.
const neededMajor = 24;
if (Number(process.versions.node.split('.')[0]) < neededMajor) {
  process.stderr.write(
    `grounding-eval needs Node.js ${neededMajor} or newer, this is ${process.versions.node}. ` +
      'Run it with npm, after `npm ci` without --ignore-scripts: that installs the right Node.js beside the project.\n',
  );
  process.exit(1);
}

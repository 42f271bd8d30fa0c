// Loaded before anything else (`node --require`), in a syntax that every Node version reads.
var version = process.versions.node.split('.').map(Number);
if (!(version[0] >= 24 || (version[0] === 22 && version[1] >= 18))) {
  process.stderr.write(
    'grounding-eval needs Node.js 22.18 or newer, or 24 or newer; this is ' +
      process.versions.node +
      '. In a checkout, run it with npm after `npm ci` without --ignore-scripts.\n',
  );
  process.exit(1);
}

/** Commands of Debian's static busybox in images that Davit builds. */

/** Busybox commands, such as `sed`, for scripts and shells. The database images need these commands. */
const APPLETS = [
  ...['[', 'awk', 'basename', 'cat', 'chmod', 'chown', 'cp', 'cut', 'date', 'dd', 'df', 'dirname', 'du', 'echo', 'env'],
  ...[
    'expr',
    'false',
    'find',
    'grep',
    'gunzip',
    'gzip',
    'head',
    'hostname',
    'id',
    'kill',
    'ln',
    'ls',
    'mkdir',
    'mktemp',
  ],
  ...['mv', 'nc', 'printf', 'ps', 'pwd', 'rm', 'rmdir', 'sed', 'sh', 'sleep', 'sort', 'stat', 'sync', 'tail', 'tar'],
  ...['tee', 'test', 'touch', 'tr', 'true', 'uname', 'wc', 'whoami', 'xargs'],
];

/**
 * Links in an image from the names of the commands to busybox, which reads from its name which command to run. The hash
 * of a database image includes these links, so a change makes Davit build these images again.
 */
export const BUSYBOX_LINKS: Record<string, string> = Object.fromEntries(
  APPLETS.map((name) => [`/bin/${name}`, 'busybox']),
);

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
 * Symbolic links from command names to busybox, which runs the command with the name of the link. If the links change,
 * Davit builds all database images again.
 */
export const BUSYBOX_LINKS: Record<string, string> = Object.fromEntries(
  APPLETS.map((name) => [`/bin/${name}`, 'busybox']),
);

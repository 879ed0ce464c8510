/** Commands of Debian's static busybox program in the images that Davit builds. */

/** Busybox commands, such as `sed`, for scripts and shells. The scripts in the database images use these commands. */
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
 * Symbolic links from command names to busybox. Busybox runs the command that has the name of the link. If the links
 * change, Davit builds all database images again.
 */
export const BUSYBOX_LINKS: Record<string, string> = Object.fromEntries(
  APPLETS.map((name) => [`/bin/${name}`, 'busybox']),
);

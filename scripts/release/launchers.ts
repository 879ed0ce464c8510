/** Shell scripts in `bin/` of a release. They always start the Node of the release, not a Node of the server. */

interface Launcher {
  /** First file of the program, in the release. */
  script: string;
  environment?: Readonly<Record<string, string>>;
  nodeFlags?: readonly string[];
}

/** Returns a script that replaces its process with the program, so that signals reach the program. */
export function launcher({ script, environment = {}, nodeFlags = [] }: Launcher): string {
  const variables = Object.entries(environment).map(([name, value]) => `export ${name}=${value}\n`);
  const flags = nodeFlags.map((flag) => `${flag} `).join('');
  return [
    '#!/bin/sh\n',
    // The script may be a symbolic link, such as /usr/local/bin/davit.
    'root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")\n',
    ...variables,
    `exec "$root/runtime/node" ${flags}"$root/${script}" "$@"\n`,
  ].join('');
}

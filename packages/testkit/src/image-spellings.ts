/**
 * Creates image references for security tests. An attacker could use such image references to access a forbidden image.
 */

export interface Aim {
  /** TCP port on the loopback interface on which the registry of the Davit instance listens. */
  port: number;
  /** Domain of the instance. */
  domain: string;
  /** Repository in the registry of the Davit instance, as `project/environment/app`. */
  repository: string;
}

/**
 * Returns image references that all refer to the same repository in the instance's registry. Tests check that Davit
 * recognizes each of these image references.
 */
export function ownImageSpellings({ port, domain, repository }: Aim): string[] {
  const loopback = [...LOOPBACK, ...disguises('localhost'), ...disguises('127.0.0.1')];
  const publicName = `registry.${domain}`;
  const names = [publicName, publicName.toUpperCase(), `Registry.${domain}`, ...disguises(publicName)];
  const hosts = [
    ...caseVariants('localhost').map((name) => `${name}:${port}`),
    ...loopback.flatMap((name) => portSpellings(port).map((written) => `${name}${written}`)),
    ...names.flatMap((name) => ['', ':443', ':0443', ':8443', ...portSpellings(port)].map((one) => `${name}${one}`)),
  ];
  const paths = pathSpellings(repository);
  const [plain = repository, ...odd] = paths;
  // Combine the unusual paths with only some of the host names. A test of all combinations would take too long.
  const all = [
    ...hosts.map((host) => `${host}/${plain}`),
    ...hosts.filter((_, index) => index % 9 === 0).flatMap((host) => odd.map((path) => `${host}/${path}`)),
  ];
  return [...new Set(all)];
}

/**
 * Returns several image references of a repository on Docker Hub. The references contain different host names of Docker
 * Hub.
 */
export function hubSpellings(repository: string): string[] {
  const hosts = HUB_ALIASES.flatMap((alias) =>
    [alias, alias.toUpperCase(), alias.replace('docker', 'Docker')].flatMap((name) =>
      ['', ':443', ':0443', ':00000443'].map((port) => `${name}${port}`),
    ),
  );
  return [...new Set([repository, ...hosts.map((host) => `${host}/${repository}`)])];
}

/**
 * Returns image names such as `sha256`. Attackers could use these names. Docker Engine interprets `sha256:abc` as an
 * image id, and not as a name and a tag.
 */
export function imageIdSpellings(): string[] {
  return ['sha256', 'sha384', 'sha512'].flatMap((algorithm) => [
    ...hubSpellings(algorithm),
    ...hubSpellings(`library/${algorithm}`),
  ]);
}

const HUB_ALIASES = [
  'docker.io',
  'index.docker.io',
  'registry-1.docker.io',
  'registry.hub.docker.com',
  'hub.docker.com',
];

const LOOPBACK = [
  ...[
    'localhost',
    'LOCALHOST',
    'LocalHost',
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '127.1',
    '127.0.1',
    '127.000.000.001',
  ],
  ...['0177.0.0.1', '0x7f.0.0.1', '0x7f.1', '0X7F.1', '2130706433', '0x7f000001', '017700000001', '0', '0.0.0.0'],
  ...[
    '[::1]',
    '::1',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::1%25lo]',
    '[localhost]',
  ],
];

/**
 * Returns other spellings of a host name, for example with a dot at the end. URL parsers or DNS resolvers convert these
 * spellings to the same host name.
 */
function disguises(host: string): string[] {
  const [first = ''] = host;
  const escaped = `%${first.charCodeAt(0).toString(16)}${host.slice(1)}`;
  const wide = `${String.fromCodePoint(0xfee0 + first.charCodeAt(0))}${host.slice(1)}`;
  return [
    ...[
      `${host}.`,
      `${host}..`,
      `.${host}`,
      ` ${host}`,
      `${host} `,
      `\t${host}`,
      `${host}\u0000`,
      `${host}%00`,
      `${host}%20`,
    ],
    ...[
      `user@${host}`,
      `user:pass@${host}`,
      `@${host}`,
      `x@y@${host}`,
      escaped,
      wide,
      `${host}\u00ad`,
      `${host}\u3002`,
    ],
    ...[
      `http://${host}`,
      `https://${host}`,
      `//${host}`,
      `/${host}`,
      `\\${host}`,
      `docker://${host}`,
      `${host}#`,
      `${host}?`,
    ],
  ];
}

function portSpellings(port: number): string[] {
  return [
    ...[
      `:${port}`,
      `:0${port}`,
      `:000${port}`,
      `:0000000000${port}`,
      `:+${port}`,
      `: ${port}`,
      `:${port} `,
      `:${port}.0`,
    ],
    ...[
      `:${port}e0`,
      `:0x${port.toString(16)}`,
      `:${port + 65_536}`,
      `:${port}:${port}`,
      `:${port}:`,
      `::${port}`,
      `%3a${port}`,
    ],
  ];
}

function pathSpellings(repository: string): string[] {
  const [first = ''] = repository;
  return [
    ...[repository, `/${repository}`, `./${repository}`, `${repository}/`, `x/../${repository}`, `../${repository}`],
    ...[repository.replace('/', '//'), repository.replaceAll('/', '%2f'), repository.replaceAll('/', '%2F')],
    ...[`%${first.charCodeAt(0).toString(16)}${repository.slice(1)}`, `${repository}%00`, `${repository}\u0000`],
    ...[repository.toUpperCase(), `${first.toUpperCase()}${repository.slice(1)}`, repository.replaceAll('/', '\\')],
    ...[`v2/${repository}`, `${repository}#`, `${repository}?x`, ` ${repository}`, `${repository} `],
  ];
}

/** Returns a word in all combinations of upper-case and lower-case letters. */
function caseVariants(word: string): string[] {
  return Array.from({ length: 2 ** word.length }, (_, mask) =>
    [...word].map((letter, index) => ((mask >> index) & 1 ? letter.toUpperCase() : letter)).join(''),
  );
}

/** Names under which an outsider would try to reach an image that he may not have. */

/** The image of an instance's own registry that is aimed at. */
export interface Aim {
  /** Of the registry, on loopback. */
  port: number;
  /** Of the instance. */
  domain: string;
  /** `project/environment/app`. */
  repository: string;
}

/**
 * Spellings of one repository of the instance's registry, each once: those that the engine was measured to pull it by, and
 * those that some other program reads as such. None of them names anything else.
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
  // Every host with the plain path, and every odd path with some of the hosts.
  const all = [
    ...hosts.map((host) => `${host}/${plain}`),
    ...hosts.filter((_, index) => index % 9 === 0).flatMap((host) => odd.map((path) => `${host}/${path}`)),
  ];
  return [...new Set(all)];
}

/** Spellings of a repository of Docker Hub's, by every alias of it; the engine looks at home for it first. */
export function hubSpellings(repository: string): string[] {
  const hosts = HUB_ALIASES.flatMap((alias) =>
    [alias, alias.toUpperCase(), alias.replace('docker', 'Docker')].flatMap((name) =>
      ['', ':443', ':0443', ':00000443'].map((port) => `${name}${port}`),
    ),
  );
  return [...new Set([repository, ...hosts.map((host) => `${host}/${repository}`)])];
}

/** Spellings that the engine reads as the start of an image id, once a tag of hex digits is put behind them. */
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

/** A host name with something around it that a URL's parser or a resolver takes off. */
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

/** Every mixture of upper and lower case. */
function caseVariants(word: string): string[] {
  return Array.from({ length: 2 ** word.length }, (_, mask) =>
    [...word].map((letter, index) => ((mask >> index) & 1 ? letter.toUpperCase() : letter)).join(''),
  );
}

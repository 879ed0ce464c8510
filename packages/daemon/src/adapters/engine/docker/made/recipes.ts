/**
 * Definitions (recipes) of the database images. `adapters/engine/made-images.ts` describes the settings and commands of
 * these images.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MADE_ENGINES, type MadeEngine } from '../../made-images.ts';
import { BUSYBOX_LINKS } from './busybox.ts';
import type { DebianImage } from './debian-recipe.ts';

/** MariaDB configuration with Debian's character set. MariaDB's own default is latin1. */
const MY_CNF = `[mariadbd]
character-set-server = utf8mb4
collation-server = utf8mb4_general_ci
[client]
default-character-set = utf8mb4
!includedir /etc/mysql/conf.d/
`;

/**
 * Version and image definition of each database engine on Debian 12. Debian provides security updates only for these
 * versions.
 */
export const DEBIAN_12: Record<MadeEngine, { version: string; image: Omit<DebianImage, 'name' | 'entrypoint'> }> = {
  postgres: {
    version: '15',
    image: {
      packages: ['postgresql-15', 'postgresql-client-15', 'tzdata', 'libc-bin', 'zlib1g'],
      binaries: [],
      folders: [
        ...['/usr/lib/postgresql/15/bin', '/usr/lib/postgresql/15/lib', '/usr/share/postgresql/15'],
        ...['/usr/share/zoneinfo', '/usr/lib/locale/C.utf8'],
      ],
      /*
       * The image does not contain LLVM, because LLVM is larger than all other files of the image. PostgreSQL also
       * works without LLVM.
       */
      without: [
        'llvmjit',
        '/lib/bitcode/',
        '/lib/pgxs/',
        '/15/man/',
        '/zoneinfo/right',
        '/zoneinfo/posix',
        '/bin/pgbench',
      ],
      notNeeded: ['libllvm14'],
      env: {
        PATH: '/usr/lib/postgresql/15/bin:/usr/bin:/bin',
        PGDATA: MADE_ENGINES.postgres.dataPath,
        LANG: 'C.UTF-8',
      },
    },
  },
  mariadb: {
    version: '10.11',
    image: {
      packages: ['mariadb-server-core', 'mariadb-client-core', 'mariadb-client', 'tzdata', 'zlib1g'],
      binaries: [
        ...['/usr/sbin/mariadbd', '/usr/bin/mariadb', '/usr/bin/mariadb-admin', '/usr/bin/mariadb-check'],
        ...['/usr/bin/mariadb-dump', '/usr/bin/mariadb-upgrade', '/usr/bin/my_print_defaults'],
        ...['/usr/bin/mariadb-tzinfo-to-sql', '/usr/bin/mariadb-binlog'],
      ],
      folders: ['/usr/share/mysql', '/usr/share/zoneinfo'],
      without: ['/zoneinfo/right', '/zoneinfo/posix'],
      links: {
        '/usr/bin/mysql': 'mariadb',
        '/usr/bin/mysqldump': 'mariadb-dump',
        '/usr/bin/mysqladmin': 'mariadb-admin',
      },
      files: { '/etc/mysql/my.cnf': MY_CNF, '/etc/mysql/conf.d/davit.cnf': '' },
      env: { PATH: '/usr/sbin:/usr/bin:/bin', LANG: 'C.UTF-8' },
    },
  },
  redis: {
    version: '7.0',
    image: {
      packages: ['redis-server', 'redis-tools', 'zlib1g'],
      binaries: ['/usr/bin/redis-server', '/usr/bin/redis-cli', '/usr/bin/redis-check-rdb', '/usr/bin/redis-check-aof'],
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
    },
  },
};

const START = '/davit/start.sh';

/** Commands that test whether the database server program starts. */
const CHECKS: Record<MadeEngine, string[]> = {
  postgres: ['/usr/lib/postgresql/15/bin/postgres', '--version'],
  mariadb: ['/usr/sbin/mariadbd', '--version'],
  redis: ['/usr/bin/redis-server', '--version'],
};

/**
 * Returns the complete definition (recipe) of a database image. The definition combines parts for one database engine
 * with common parts of all database images.
 */
export function madeRecipe(engine: MadeEngine): DebianImage {
  const { version, image } = DEBIAN_12[engine];
  const { user, uid, port } = MADE_ENGINES[engine];
  const start = readFileSync(join(import.meta.dirname, `${engine}.sh`), 'utf8');
  const passwd = [
    'root:x:0:0::/:/bin/sh',
    'nobody:x:65534:65534::/:/bin/false',
    `${user}:x:${uid}:${uid}::/tmp:/bin/sh`,
  ];
  const group = ['root:x:0:', 'nogroup:x:65534:', `${user}:x:${uid}:`];
  return {
    name: engine,
    tag: version,
    ...image,
    packages: [...image.packages, 'busybox-static', 'util-linux'],
    binaries: [...image.binaries, '/bin/busybox', '/usr/bin/setpriv'],
    entrypoint: ['/bin/sh', START],
    check: [[...CHECKS[engine]]],
    ports: [port],
    links: {
      ...image.links,
      '/var/run': '../run',
      ...BUSYBOX_LINKS,
    },
    files: {
      ...image.files,
      [START]: start,
      '/etc/passwd': `${passwd.join('\n')}\n`,
      '/etc/group': `${group.join('\n')}\n`,
      '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
    },
  };
}

/** Data about a database engine. Templates, instances and the reference all use this table. */
export interface Engine {
  /** Offered versions, newest first. */
  versions: readonly string[];
  /** Port of the database server. */
  port: number;
  /** Prefix of the variables of an attachment. */
  stem: 'DATABASE' | 'REDIS' | 'MONGO';
  /** Whether the databases of the engine have names. Only then an attached app gets the variable `_NAME`. */
  named: boolean;
  /** Only user of the engine, if the engine supports only one. */
  onlyUser?: string;
  /** User names that are not allowed. */
  refusedUsers: readonly string[];
}

export const ENGINES: Readonly<Record<string, Engine>> = {
  postgres: {
    versions: ['18', '17', '16', '15'],
    port: 5432,
    stem: 'DATABASE',
    named: true,
    refusedUsers: ['public', 'none'],
  },
  mysql: { versions: ['8.4', '8.0'], port: 3306, stem: 'DATABASE', named: true, refusedUsers: ['root'] },
  mariadb: { versions: ['11.4', '10.11'], port: 3306, stem: 'DATABASE', named: true, refusedUsers: ['root'] },
  redis: {
    versions: ['7.4', '7.2'],
    port: 6379,
    stem: 'REDIS',
    named: false,
    onlyUser: 'default',
    refusedUsers: [],
  },
  mongodb: { versions: ['8.0', '7.0'], port: 27017, stem: 'MONGO', named: true, refusedUsers: [] },
};

/**
 * Returns the engine with this name, or `undefined`. Names of object properties such as `constructor` are not engines.
 */
export function engineNamed(name: string): Engine | undefined {
  return Object.hasOwn(ENGINES, name) ? ENGINES[name] : undefined;
}

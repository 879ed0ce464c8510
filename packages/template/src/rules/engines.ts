/**
 * Properties of a database engine, such as its versions and port. The template check, Davit instances and the
 * documentation share these properties.
 */
export interface Engine {
  /** Versions of the database engine that Davit offers, newest version first. */
  versions: readonly string[];
  port: number;
  /**
   * Fixed part in the names of the environment variables that an attached database sets. For example, the fixed part of
   * `DATABASE_URL` is `DATABASE`.
   */
  stem: 'DATABASE' | 'REDIS' | 'MONGO';
  /**
   * Whether the databases of this engine have a name on the database server. If so, an attached app also gets a
   * variable that ends with `_NAME`. Redis databases have no name.
   */
  named: boolean;
  /** Only user name that the database engine supports. Absent if users can choose the user name. */
  onlyUser?: string;
  /** User names that the database engine reserves for itself. */
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
    versions: ['7.4', '7.2', '7.0'],
    port: 6379,
    stem: 'REDIS',
    named: false,
    onlyUser: 'default',
    refusedUsers: [],
  },
  mongodb: { versions: ['8.0', '7.0'], port: 27017, stem: 'MONGO', named: true, refusedUsers: [] },
};

/**
 * Returns the database engine with this name. Returns `undefined` for any other name, such as `constructor`, although
 * every JavaScript object has this property.
 */
export function engineNamed(name: string): Engine | undefined {
  return Object.hasOwn(ENGINES, name) ? ENGINES[name] : undefined;
}

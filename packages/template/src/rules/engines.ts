/** What is known of a database engine: the one home of it for templates, instances and the reference. */
export interface Engine {
  /** On offer, newest first. */
  versions: readonly string[];
  /** Where it answers. */
  port: number;
  /** What the variables of an attachment begin with. */
  stem: 'DATABASE' | 'REDIS' | 'MONGO';
  /** Whether it has databases with names; `_NAME` is set only then. */
  named: boolean;
  /** The only user it has, where it has but one. */
  onlyUser?: string;
  /** Users that nobody is given. */
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

/** The engine of that name, or nothing: `constructor` and its like are no engines. */
export function engineNamed(name: string): Engine | undefined {
  return Object.hasOwn(ENGINES, name) ? ENGINES[name] : undefined;
}

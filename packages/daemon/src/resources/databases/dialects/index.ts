import type { DatabaseEngine } from '@davit/api';
import type { Dialect } from './dialect.ts';
import { mongodb } from './mongodb.ts';
import { mariadb, mysql } from './mysql.ts';
import { postgres } from './postgres.ts';
import { redis } from './redis.ts';

export const DIALECTS: Record<DatabaseEngine, Dialect> = { postgres, mysql, mariadb, redis, mongodb };

import type { DatabaseEngine } from '@davit/api';
import { mongodbTool } from './mongodb.ts';
import { mariadbTool, mysqlTool } from './mysql.ts';
import { postgresTool } from './postgres.ts';
import { redisTool } from './redis.ts';
import type { DumpTool } from './tool.ts';

export const DUMP_TOOLS: Record<DatabaseEngine, DumpTool> = {
  postgres: postgresTool,
  mariadb: mariadbTool,
  mysql: mysqlTool,
  redis: redisTool,
  mongodb: mongodbTool,
};

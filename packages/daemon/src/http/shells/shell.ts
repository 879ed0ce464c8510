/** Endpoint that runs a shell in a replica (container) of an app, in a terminal. */
import { Command } from '@davit/api';
import { z } from 'zod';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { openShell } from '../../resources/shells/shell.ts';
import { TAKEN_OVER } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint } from '../exchange.ts';
import type { ShellConnections } from './connections.ts';
import { SHELL_QUERY, serveShell, sizeIn } from './serve.ts';

/** Maximum length of the query parameter `command` in characters. An HTTP request line cannot be much longer. */
const MOST_COMMAND = 4_096;

const ShellQuery = z
  .strictObject({
    replica: z.string().max(63).optional(),
    shell: z
      .string()
      .max(255)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must exclude NUL characters
      .regex(/^\/[^\u0000]+$/, 'must be the path of a program in the image, such as /bin/bash')
      .optional(),
    command: z.string().max(MOST_COMMAND).transform(commandIn).optional(),
    ...SHELL_QUERY,
  })
  .refine(({ shell, command }) => shell === undefined || command === undefined, {
    path: ['shell'],
    error: 'must not be used with “command”',
  });

/**
 * Parses the query parameter `command`, which is a JSON array of a program and its arguments. This program replaces the
 * shell.
 */
function commandIn(text: string, ctx: z.RefinementCtx): string[] {
  const parsed = Command.safeParse(jsonIn(text));
  if (parsed.success) return parsed.data;
  ctx.addIssue({
    code: 'custom',
    message: 'must be a JSON list of the program and its arguments, such as ["psql","-l"]',
  });
  return z.NEVER;
}

/**
 * Parses JSON. Returns `null` for invalid JSON. The schema of the caller does not accept `null` and reports an error.
 */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const USUAL_SHELL = '/bin/sh';

const ROUTE = 'GET /api/apps/{project}/{environment}/{app}/shell';

export function shellEndpoint(core: HttpDeps, connections: ShellConnections): Endpoint {
  return {
    ...absentEndpoint(ROUTE, { access: 'caller', success: 101 }, () => TAKEN_OVER),
    operation: 'openShell',
    needs: { permission: 'operate', scope: 'app' },
    query: ShellQuery,
    handle(exchange, ctx) {
      // These casts are safe, because `judgeRequest` has already validated the app and the query parameters.
      const app = exchange.target as AppTarget;
      const query = exchange.query as z.output<typeof ShellQuery>;
      const command = query.command ?? [query.shell ?? USUAL_SHELL];
      const options = { replica: query.replica, command, size: sizeIn(query) };
      return serveShell(core, connections, {
        ...({ exchange, ctx, noun: 'shell', closing: 'closeShell' } as const),
        async open(signal) {
          const { replica, terminal } = await openShell(core, app, options, signal);
          return { program: terminal, facts: { app: app.reference, replica } };
        },
      });
    },
  };
}

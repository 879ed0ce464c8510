/**
 * Runs a call of an MCP tool as an API request. If the API returns an error, the result is an error with the same code
 * and message.
 */
import { DavitError, type Deployment, type LogLines, type Task } from '@davit/api';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { publicError } from '../http/failure.ts';
import type { InnerAnswer, Question } from '../http/inner.ts';
import { ClientGone } from '../http/request/body.ts';
import { type Arguments, demandConfirmed, questionOf } from './arguments.ts';
import type { McpCaller } from './caller.ts';
import { asData, logText, sanitize } from './data.ts';
import { endSentence } from './end-sentence.ts';
import { ERROR_META, errorData } from './error-data.ts';
import { recordAtItsEnd, taskAtItsEnd } from './follow.ts';
import { secretsOfTarget } from './secrets.ts';
import { readable, type Secret } from './text.ts';
import type { Tool } from './tools.ts';

export interface ToolCall {
  tool: Tool;
  args: Arguments;
  caller: McpCaller;
  /** Sends an MCP progress notification. The field is `undefined` if the client did not request such notifications. */
  progress: ((message: string) => Promise<void>) | undefined;
}

export async function runTool(call: ToolCall): Promise<CallToolResult> {
  const { tool } = call;
  try {
    return await call.caller.watched((signal) => answered(call, signal));
  } catch (error) {
    // The MCP client has disconnected, so it does not receive this result.
    if (error instanceof ClientGone)
      return refusalResult(tool, new DavitError('unavailable', 'The call was canceled.'));
    const known = publicError(error);
    if (known.code === 'internal') throw error;
    return refusalResult(tool, known);
  }
}

async function answered(
  { tool, args, caller, progress }: ToolCall,
  signal: () => AbortSignal,
): Promise<CallToolResult> {
  demandConfirmed(tool, args);
  const send = (question: Question) => caller.ask(question);
  const { wait, ...others } = args;
  const isWait = tool.waits !== null && (wait === undefined || wait === null || typeof wait === 'boolean');
  let answer = await send(questionOf(tool, isWait ? others : args));
  if (answer.error !== undefined) return refusalResult(tool, answer.error);
  const waitsFor = isWait && (wait ?? tool.operation.effect !== 'read') === true;
  if (waitsFor) {
    const following = { ask: send, signal: signal(), progress };
    const { body } = answer.reply;
    answer =
      tool.waits === 'task'
        ? await taskAtItsEnd(body as Task, following)
        : await recordAtItsEnd(body as Deployment, following);
    if (answer.error !== undefined) return refusalResult(tool, answer.error);
  }
  return result(tool, answer, tool.mark.tellsText === true ? secretsOfTarget(caller.core, answer.exchange) : []);
}

function result(tool: Tool, { reply }: InnerAnswer, secrets: readonly Secret[]): CallToolResult {
  const shown = sanitize(shape(tool, reply ?? { status: 204 }), secrets);
  const sentence = endSentence(tool, shown.value);
  return {
    content: [{ type: 'text', text: asData(textOf(shown.value), shown, sentence.text) }],
    structuredContent: shown.value as Record<string, unknown>,
    ...(sentence.isFailure && { isError: true }),
  };
}

/**
 * Returns the structured content of an MCP tool result. A list becomes a field of an object, because some MCP clients
 * accept only objects.
 */
function shape({ answer }: Tool, { body, next }: { body?: unknown; next?: string | null }): unknown {
  if (answer === null) return { done: true };
  return Array.isArray(body) ? { items: body, ...(next && { next }) } : body;
}

function textOf(value: unknown): string {
  const { lines, more } = value as Partial<LogLines>;
  if (!Array.isArray(lines) || more === undefined) return JSON.stringify(value);
  return logText(lines);
}

/**
 * Converts an API error to the result of a failed tool call. If a tool argument has another name than the API field,
 * the error contains the name of the argument.
 */
function refusalResult({ mark }: Tool, error: DavitError): CallToolResult {
  const names = new Map(Object.entries(mark.renamed ?? {}).map(([name, field]) => [field, name]));
  const fields = error.fields.map((field) => ({ ...field, path: names.get(field.path) ?? field.path }));
  return {
    content: [{ type: 'text', text: `${error.status} ${error.code}: ${readable(error.message)}` }],
    isError: true,
    // The field `_meta` contains the error, because MCP clients accept structured content only in successful results.
    _meta: { [ERROR_META]: errorData({ ...error, fields }) },
  };
}

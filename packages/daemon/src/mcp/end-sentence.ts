/**
 * Builds the first sentence of an MCP tool result about a deployment or task. If the deployment or task failed, the
 * tool result is an error. The result of a tool that only reads data is never such an error.
 */
import { type Deployment, isTaskOpen, isTerminal, type Task } from '@davit/api';
import type { Tool } from './tools.ts';

export interface EndSentence {
  text: string;
  isFailure: boolean;
}

/**
 * Returns a sentence about the deployment or task in a tool result. The sentence is empty if the result contains no
 * deployment or task.
 */
export function endSentence({ waits, operation }: Tool, value: unknown): EndSentence {
  const isRead = operation.effect === 'read';
  if (waits === 'deployment') return ofDeployment(value as Deployment, isRead);
  return waits === 'task' ? ofTask(value as Task, isRead) : { text: '', isFailure: false };
}

function ofDeployment({ id, app, status }: Deployment, isRead: boolean): EndSentence {
  const what = `Deployment ${id} of ${app}`;
  if (isLost(status) && !isRead) {
    const text = `${what} ${ended(status)}. Read the reason in “error” and the last log lines in “log”.`;
    return { text, isFailure: true };
  }
  if (isTerminal(status)) return { text: `${what} is ${status}.`, isFailure: false };
  return {
    text: `${what} is ${status} and continues. Call get_deployment with “wait” to get the result.`,
    isFailure: false,
  };
}

function ofTask({ id, kind, subject, status }: Task, isRead: boolean): EndSentence {
  const what = `Task ${id} (${kind}) of ${subject.name}`;
  if (isLost(status) && !isRead)
    return { text: `${what} ${ended(status)}. Read the reason in “error”.`, isFailure: true };
  if (!isTaskOpen(status)) return { text: `${what} is ${status}.`, isFailure: false };
  return { text: `${what} is ${status} and continues. Call get_task with “wait” to get the result.`, isFailure: false };
}

function isLost(status: string): boolean {
  return status === 'failed' || status === 'cancelled';
}

function ended(status: string): string {
  return status === 'failed' ? 'failed' : 'was canceled';
}

import type { Operation } from '../operation.ts';
import * as app from './app.ts';
import * as deployment from './deployment.ts';
import * as domain from './domain.ts';
import * as instance from './instance.ts';
import * as log from './log.ts';
import * as project from './project.ts';
import * as variables from './variables.ts';

/** Every documented operation, by id. */
export const operations = { ...project, ...app, ...domain, ...variables, ...deployment, ...log, ...instance } as const;
export type Operations = typeof operations;
export type OperationId = keyof Operations;

export const allOperations: readonly Operation[] = Object.values(operations);

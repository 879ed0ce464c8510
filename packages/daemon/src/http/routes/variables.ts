import { operations } from '@davit/api';
import type { Core } from '../../core/core.ts';
import { ofApp, ofEnvironment, ofProject, patchVariables, putVariables, readVariables } from '../../core/variables.ts';
import { type Binding, bind, ok } from '../bind.ts';

export const variableRoutes = (core: Core): Binding[] => [
  bind(operations.getProjectVariables, ({ ctx, target }) => ok(readVariables(core, ctx, ofProject(target)))),
  bind(operations.patchProjectVariables, ({ ctx, target, body }) =>
    ok(patchVariables(core, ctx, ofProject(target), body)),
  ),
  bind(operations.putProjectVariables, ({ ctx, target, body }) => ok(putVariables(core, ctx, ofProject(target), body))),

  bind(operations.getEnvironmentVariables, ({ ctx, target }) => ok(readVariables(core, ctx, ofEnvironment(target)))),
  bind(operations.patchEnvironmentVariables, ({ ctx, target, body }) =>
    ok(patchVariables(core, ctx, ofEnvironment(target), body)),
  ),
  bind(operations.putEnvironmentVariables, ({ ctx, target, body }) =>
    ok(putVariables(core, ctx, ofEnvironment(target), body)),
  ),

  bind(operations.getAppVariables, ({ ctx, target }) => ok(readVariables(core, ctx, ofApp(target)))),
  bind(operations.patchAppVariables, ({ ctx, target, body }) => ok(patchVariables(core, ctx, ofApp(target), body))),
  bind(operations.putAppVariables, ({ ctx, target, body }) => ok(putVariables(core, ctx, ofApp(target), body))),
];

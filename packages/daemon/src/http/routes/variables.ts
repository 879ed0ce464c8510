import { operations } from '@davit/api';
import type { OpContext } from '../../context.ts';
import type { Core } from '../../core/core.ts';
import { type LevelChange, patchingVariables, replacingVariables } from '../../core/variable-level.ts';
import {
  changeVariables,
  deployVariables,
  ofApp,
  ofEnvironment,
  ofProject,
  readVariables,
  type VariableOwner,
} from '../../core/variables.ts';
import { type Binding, bind, ok, type Reply } from '../bind.ts';
import { begun } from './begun.ts';

export const variableRoutes = (core: Core): Binding[] => [
  bind(operations.getProjectEnv, ({ ctx, target }) => ok(readVariables(core, ctx, ofProject(target)))),
  bind(operations.setProjectEnv, ({ ctx, target, query, body }) =>
    change(core, ctx, ofProject(target), patchingVariables(body), query.deploy),
  ),
  bind(operations.replaceProjectEnv, ({ ctx, target, query, body }) =>
    change(core, ctx, ofProject(target), replacingVariables(body), query.deploy),
  ),

  bind(operations.getEnvironmentEnv, ({ ctx, target }) => ok(readVariables(core, ctx, ofEnvironment(target)))),
  bind(operations.setEnvironmentEnv, ({ ctx, target, query, body }) =>
    change(core, ctx, ofEnvironment(target), patchingVariables(body), query.deploy),
  ),
  bind(operations.replaceEnvironmentEnv, ({ ctx, target, query, body }) =>
    change(core, ctx, ofEnvironment(target), replacingVariables(body), query.deploy),
  ),

  bind(operations.getAppEnv, ({ ctx, target }) => ok(readVariables(core, ctx, ofApp(target)))),
  bind(operations.setAppEnv, ({ ctx, target, query, body }) =>
    change(core, ctx, ofApp(target), patchingVariables(body), query.deploy),
  ),
  bind(operations.replaceAppEnv, ({ ctx, target, query, body }) =>
    change(core, ctx, ofApp(target), replacingVariables(body), query.deploy),
  ),
];

/** A wider level is deployed to any number of apps; an app's own to itself, whose record has a place. */
async function change(
  core: Core,
  ctx: OpContext,
  owner: VariableOwner,
  next: LevelChange,
  deploy: boolean | undefined,
): Promise<Reply> {
  if (!deploy) return ok(changeVariables(core, ctx, owner, next));
  const deployments = await deployVariables(core, ctx, owner, next);
  const [own] = deployments;
  return owner.level === 'app' && own ? begun(own) : { status: 202, body: deployments };
}

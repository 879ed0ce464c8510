import { operations } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { type LevelChange, patchingVariables, replacingVariables } from '../../resources/variables/level.ts';
import {
  changeVariables,
  deployVariables,
  ofApp,
  ofEnvironment,
  ofProject,
  planVariables,
  readVariables,
  type VariableOwner,
} from '../../resources/variables/variables.ts';
import { type Binding, bind, ok, type Reply } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { begun } from './begun.ts';

export const variableRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.getProjectEnv, ({ ctx, target }) => ok(readVariables(core, ctx, ofProject(target)))),
  bind(operations.setProjectEnv, ({ ctx, target, query, body }) =>
    change(core, ctx, ofProject(target), patchingVariables(body), query),
  ),
  bind(operations.replaceProjectEnv, ({ ctx, target, query, body }) =>
    change(core, ctx, ofProject(target), replacingVariables(body), query),
  ),

  bind(operations.getEnvironmentEnv, ({ ctx, target }) => ok(readVariables(core, ctx, ofEnvironment(target)))),
  bind(operations.setEnvironmentEnv, ({ ctx, target, query, body }) =>
    change(core, ctx, ofEnvironment(target), patchingVariables(body), query),
  ),
  bind(operations.replaceEnvironmentEnv, ({ ctx, target, query, body }) =>
    change(core, ctx, ofEnvironment(target), replacingVariables(body), query),
  ),

  bind(operations.getAppEnv, ({ ctx, target }) => ok(readVariables(core, ctx, ofApp(target)))),
  bind(operations.setAppEnv, ({ ctx, target, query, body }) =>
    change(core, ctx, ofApp(target), patchingVariables(body), query),
  ),
  bind(operations.replaceAppEnv, ({ ctx, target, query, body }) =>
    change(core, ctx, ofApp(target), replacingVariables(body), query),
  ),
];

/** Changes environment variables. Deploys the change only if `deploy` is set. With `dry_run`, changes nothing. */
async function change(
  core: HttpDeps,
  ctx: OpContext,
  owner: VariableOwner,
  next: LevelChange,
  { deploy, dry_run }: { deploy?: boolean | undefined; dry_run?: boolean | undefined },
): Promise<Reply> {
  if (dry_run) {
    const plans = await planVariables(core, ctx, owner, next);
    return ok(owner.level === 'app' ? plans[0]?.plan : plans);
  }
  if (!deploy) return ok(changeVariables(core, ctx, owner, next));
  /*
   * A change of an app's variables starts one deployment. A change of a project or environment can start several
   * deployments.
   */
  const deployments = await deployVariables(core, ctx, owner, next);
  const [own] = deployments;
  return owner.level === 'app' && own ? begun(own) : { status: 202, body: deployments };
}

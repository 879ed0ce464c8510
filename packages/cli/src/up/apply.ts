/** Applies a plan of `davit up` to the instance, but does not start the deployment. */
import type { Client } from '@davit/api';
import { type AppParams, referenceOf } from '../arguments/app.ts';
import type { Observed } from '../plan/observe.ts';
import { BORN_WITH_PROJECT, type Plan } from '../plan/plan.ts';

interface Applying {
  client: Client;
  params: AppParams;
  plan: Plan;
  observed: Observed;
  signal: AbortSignal;
  /** Called after each change with a description of the change, such as `the settings were saved`. */
  onDone: (what: string) => void;
}

/**
 * Applies the changes of a plan. The project and the app are created first, because all other changes need them.
 * @throws DavitError
 */
export async function apply(applying: Applying): Promise<void> {
  await makeApp(applying);
  const { client, params, plan, observed, signal, onDone } = applying;
  if (plan.settings !== null && observed.app !== null) {
    await client.putApp({ params, body: plan.settings, signal });
    onDone('the settings were saved');
  }
  if (plan.variables !== null) {
    await client.setAppEnv({ params, body: plan.variables, signal });
    onDone('the variables were saved');
  }
  for (const path of plan.volumes) {
    await client.addVolume({ params, body: { path }, signal });
    onDone(`the volume ${path} was added`);
  }
  for (const { id, host, body } of endedRedirectsFirst(plan.domains.change)) {
    await client.patchDomain({ params: { ...params, domain: String(id) }, body, signal });
    onDone(`the domain ${host} was changed`);
  }
  for (const body of plan.domains.add) {
    await client.addDomain({ params, body, signal });
    onDone(`the domain ${body.host} was added`);
  }
}

/** Sorts changes of domains, because the instance refuses a redirect to a domain that is still redirected. */
function endedRedirectsFirst(changes: Plan['domains']['change']): Plan['domains']['change'] {
  const ends = ({ body }: (typeof changes)[number]) => Number(body.redirect_to === null);
  return changes.toSorted((a, b) => ends(b) - ends(a));
}

async function makeApp({ client, params, plan, observed, signal, onDone }: Applying): Promise<void> {
  const { project, environment, app: name } = params;
  if (!observed.hasProject) {
    await client.createProject({ body: { slug: project }, signal });
    onDone(`the project ${project} was created`);
  }
  const isBorn = !observed.hasProject && environment === BORN_WITH_PROJECT;
  if (!observed.hasEnvironment && !isBorn) {
    await client.createEnvironment({ params: { project }, body: { slug: environment }, signal });
    onDone(`the environment ${environment} was created`);
  }
  if (observed.app !== null || plan.settings === null) return;
  await client.createApp({ body: { project, environment, name, ...plan.settings }, signal });
  onDone(`the app ${referenceOf(params)} was created`);
}

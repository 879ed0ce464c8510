/** All routes that change something, with callers who lose their rights while the request is in progress. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { after, before, describe, it } from 'node:test';
import { type Answer, type TestUser, user } from '@davit/testkit';
import { partOf } from '../../../../test/support/tiers.ts';
import type { Store } from '../../src/db/store.ts';
import type { TrailEntry } from '../../src/db/tables/audit-trail.ts';
import { setUserBlocked, setUserRights } from '../../src/db/tables/user.ts';
import { type HeldAnswer, holdBody } from '../support/held-body.ts';
import { dump, orderSetup, type Route, type Setup, withQuery } from '../support/order-setup.ts';

interface Ending {
  what: string;
  /** Whether this removes the rights that the route needs. */
  concerns: (route: Route) => boolean;
  end: (store: Store, user: TestUser) => void;
  status: number;
}

const scopeOf = ({ endpoint }: Route) => endpoint.needs?.scope ?? 'instance';

const ENDINGS: Ending[] = [
  {
    what: 'whose user is blocked',
    concerns: () => true,
    end: (store, { id }) => store.tx((tx) => setUserBlocked(tx, id, true)),
    status: 401,
  },
  {
    what: 'whose user loses the role',
    concerns: ({ endpoint }) => endpoint.needs !== null,
    end: (store, { id }) => store.tx((tx) => setUserRights(tx, id, 'viewer', null, Date.now())),
    status: 403,
  },
  {
    what: 'whose user loses the project',
    concerns: (route) => !['instance', 'user'].includes(scopeOf(route)),
    end: (store, { id }) => store.tx((tx) => setUserRights(tx, id, 'admin', [], Date.now())),
    status: 404,
  },
];

/** Tables that the test itself changes between two dumps. */
const NOT_COMPARED = ['users', 'api_keys', 'row_macs'];

describe('every change request', () => {
  let here: Setup;
  let changes: Route[];
  let rightsEnd: Interruption;
  before(async () => {
    here = await orderSetup();
    changes = here.routes.filter(({ endpoint, method }) => endpoint.access === 'caller' && method !== 'GET');
    rightsEnd = new Interruption(here.daemon.core.store);
  });
  after(() => here[Symbol.asyncDispose]());

  const state = () => {
    const rows = Object.entries(dump(here.daemon.core.store));
    return Object.fromEntries(rows.filter(([table]) => !NOT_COMPARED.includes(table)));
  };
  const headersOf = ({ key }: TestUser) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
  const requestOf = (route: Route, who: TestUser) => ({
    ...{ method: route.method, path: withQuery(route), headers: headersOf(who), body: route.sample ?? '{}' },
  });

  for (const { what, concerns, end, status } of ENDINGS) {
    it(`${what} while the body arrives is refused without a change`, async () => {
      const { daemon } = here;
      const member = user(daemon, 'admin');
      const held: { name: string; finish: () => Promise<HeldAnswer> }[] = [];
      await here.each(changes.filter(concerns), async (route) => {
        held.push({ name: route.name, finish: await holdBody(daemon, requestOf(route, member)) });
      });
      await daemon.settled();
      end(daemon.core.store, member);
      const atFirst = state();

      for (const { name, finish } of held) {
        const answer = await finish();
        assert.equal(answer.status, status, `${name}: ${answer.text}`);
      }

      await daemon.settled();
      assert.deepEqual(state(), atFirst);
    });
  }

  for (const [turn, { what, concerns, end, status }] of ENDINGS.entries()) {
    it(`${what} before its first effect is refused without a change`, async () => {
      const { daemon } = here;
      const concerned = changes.filter(concerns);
      const tried = partOf(concerned, turn, ENDINGS.length);
      let refused = 0;
      for (const route of tried) {
        const member = user(daemon, 'admin');
        const atFirst = state();
        const { answer, isInterrupted } = await sendConfirmed(route, member, () => end(daemon.core.store, member));
        if (!isInterrupted) continue;
        refused += 1;
        assert.equal(answer.status, status, `${route.name}: ${answer.text}`);
        await daemon.settled();
        assert.deepEqual(state(), atFirst, route.name);
      }
      // The other routes are refused by their own rules, because only the shape of their samples is valid.
      assert.ok(refused > tried.length / 2, `only ${refused} of ${tried.length} came to their first effect`);
    });
  }

  /** Sends a request again with the name that a deletion requires as confirmation. */
  async function sendConfirmed(route: Route, who: TestUser, end: () => void) {
    const sending = requestOf(route, who);
    const first = await rightsEnd.during(() => here.ask(sending), end);
    const name = /^confirm: must be [^,]+, “?(.+?)”?\.\n$/.exec(first.answer.text)?.[1];
    if (name === undefined) return first;
    const path = sending.path.replace(/confirm=[^&]*/, `confirm=${encodeURIComponent(name)}`);
    return rightsEnd.during(() => here.ask({ ...sending, path }), end);
  }
});

/**
 * Ends the rights of a request directly before they are checked for its first effect, which is the latest possible
 * time.
 */
class Interruption {
  readonly #requests = new AsyncLocalStorage<TrailEntry | null>();
  #end: (() => void) | null = null;

  constructor({ trail }: Store) {
    const { during, apart, demandRights, demandRightsUnlessChanged } = trail;
    trail.during = (entry, work) =>
      this.#requests.run(
        entry.demandRights ? entry : (this.#requests.getStore() ?? null),
        () => during.call(trail, entry, work) as ReturnType<typeof work>,
      );
    trail.apart = (work) => this.#requests.run(null, () => apart.call(trail, work) as ReturnType<typeof work>);
    const interrupt = () => {
      const end = this.#end;
      if (end === null || (this.#requests.getStore()?.written ?? true)) return;
      this.#end = null;
      trail.apart(end);
    };
    trail.demandRights = () => {
      interrupt();
      demandRights.call(trail);
    };
    trail.demandRightsUnlessChanged = () => {
      interrupt();
      demandRightsUnlessChanged.call(trail);
    };
  }

  async during(
    sendRequest: () => Promise<Answer>,
    end: () => void,
  ): Promise<{ answer: Answer; isInterrupted: boolean }> {
    this.#end = end;
    const answer = await sendRequest();
    const isInterrupted = this.#end === null;
    this.#end = null;
    return { answer, isInterrupted };
  }
}

/** Users of the example company in the screenshots. */
import { type Client, createAccountClient } from '@davit/api';
import { cookieOf, signIn, type TestDaemon } from '@davit/testkit';
import type { StoryClock } from './clock.ts';
import { ADA, PEOPLE } from './company.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0';

/** Claims the instance, creates its projects and users, and returns a client for each user. */
export async function welcome(daemon: TestDaemon, clock: StoryClock, now: number): Promise<Map<string, Client>> {
  const clientOptions = { url: daemon.url, fetch: daemon.fetch };
  let cookie = '';
  const onHeaders = (headers: Headers) => {
    cookie = headers.get('set-cookie')?.split(';')[0] ?? cookie;
  };
  await createAccountClient({ ...clientOptions, onHeaders }).claim({ token: daemon.setupToken, ...ADA });
  const own = createAccountClient({ ...clientOptions, cookie });
  daemon.key = (await own.createKey({ name: 'laptop' })).key;
  const ada = daemon.client;
  for (const slug of ['shop', 'blog', 'tools']) await ada.createProject({ body: { slug } });
  await ada.createEnvironment({ params: { project: 'shop' }, body: { slug: 'staging' } });

  const people = new Map([[ADA.username as string, ada]]);
  for (const { username, role, projects } of PEOPLE) {
    clock.forward(3 * MINUTE);
    const body = { username, role, projects: projects && [...projects], password: ADA.password };
    await ada.createUser({ body });
    const answer = await signIn(daemon, { username, password: ADA.password }, { 'user-agent': FIREFOX });
    const name = username === 'pipeline' ? 'ci' : 'laptop';
    const { key } = await createAccountClient({ ...clientOptions, cookie: cookieOf(answer) }).createKey({ name });
    people.set(username, daemon.clientFor(key));
  }
  clock.forward(2 * DAY);
  await own.createKey({ name: 'status screen', role: 'viewer' });
  const expires_at = new Date(now + 21 * DAY).toISOString();
  await own.createKey({ name: 'nightly exports', role: 'member', projects: ['shop'], expires_at });
  return people;
}

import { createAccountClient } from '@davit/api';
import { reachingFetch } from './reach.ts';

/** What the API's document has not: signing in, and one's own keys, sessions and password. */
export const account = createAccountClient({ url: '', fetch: reachingFetch });

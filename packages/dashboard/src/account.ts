import { createAccountClient } from '@davit/api';
import { reachingFetch } from './reach.ts';

/**
 * Client for operations that are not in the API description: sign-in, and the user's own API keys, sessions and
 * password.
 */
export const account = createAccountClient({ url: '', fetch: reachingFetch });

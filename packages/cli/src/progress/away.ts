/** Message for a user who follows an operation while the instance restarts or is unreachable. */
export const AWAY = 'The instance does not answer: this goes on when it does. Ctrl-C leaves.';

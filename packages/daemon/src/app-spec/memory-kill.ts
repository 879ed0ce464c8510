import { mebibytes } from './mebibytes.ts';

/**
 * Returns the reason why the kernel killed a replica because of its memory use, and a solution for the user.
 * @param what beginning of the sentence, for example `Replica 1 was killed`
 * @param limitBytes memory limit of the replica in bytes, or `null` if the app has no memory limit
 */
export function memoryKill(what: string, limitBytes: number | null): string {
  return limitBytes === null
    ? `${what} because the replica used all memory that the server has for apps. Reduce the memory use of the app, or add memory to the server.`
    : `${what} because the replica used more memory than its limit of ${mebibytes(limitBytes)}. Raise the memory limit of the app.`;
}

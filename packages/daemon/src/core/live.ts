/** A reader does not take events as fast as they come, and what is held for it is bounded. */
export class ReaderTooSlow extends Error {
  override name = 'ReaderTooSlow';
}

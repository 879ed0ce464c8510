/** The engine does not answer. Reads go on with what was last seen; deploys are refused with 503. */
export class EngineUnavailable extends Error {
  override name = 'EngineUnavailable';
}

/** The reason of an abort that only lets go of a command: its container goes on, for the next call under its name. */
export class LeftRunning extends Error {
  override name = 'LeftRunning';
}

/** The engine answered and refused; the message is its own words behind what we were doing («create container: …»). */
export class EngineRefused extends Error {
  override name = 'EngineRefused';
}

/** The image is not where it was looked for; the message names it and quotes the registry. */
export class ImageNotFound extends EngineRefused {
  override name = 'ImageNotFound';
}

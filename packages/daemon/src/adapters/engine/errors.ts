import type { ImageProblemCode } from '@davit/api';

/** The engine does not answer. Reads go on with what was last seen; deploys are refused with 503. */
export class EngineUnavailable extends Error {
  override name = 'EngineUnavailable';
}

/** The reason of an abort that only lets go of a command: its container goes on, for the next call under its name. */
export class LeftRunning extends Error {
  override name = 'LeftRunning';
}

/**
 * The engine, or its adapter, refused. Users read the message: it is text of Davit. What the engine itself wrote goes into
 * an `EngineProblem`, which keeps it for the log.
 */
export class EngineRefused extends Error {
  override name = 'EngineRefused';
}

/**
 * A registry refused a pull or does not answer, derived from the engine's text, which is the message. Only for
 * `codedImages`.
 */
export class PullRefused extends EngineRefused {
  override name = 'PullRefused';
  readonly code: ImageProblemCode;

  constructor(code: ImageProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The image is not where it was looked for; the message names it and quotes the registry. */
export class ImageNotFound extends EngineRefused {
  override name = 'ImageNotFound';
}

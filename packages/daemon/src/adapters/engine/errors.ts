import type { ImageProblemCode } from '@davit/api';

/**
 * Error for an engine that does not answer. Read requests then use the last known state, and deployments are refused
 * with status 503.
 */
export class EngineUnavailable extends Error {
  override name = 'EngineUnavailable';
}

/**
 * Abort reason that stops only the wait for a command. The container keeps running, and the next call with the same
 * name adopts it.
 */
export class LeftRunning extends Error {
  override name = 'LeftRunning';
}

/**
 * Error for a request that the engine or its adapter refused. Users read the message, so its text comes from Davit. An
 * `EngineProblem` keeps the text of the engine for the log.
 */
export class EngineRefused extends Error {
  override name = 'EngineRefused';
}

/**
 * Error for a pull that a registry refused or did not answer. The message is the text of the engine, from which the
 * code was derived. Only `codedImages` uses this class.
 */
export class PullRefused extends EngineRefused {
  override name = 'PullRefused';
  readonly code: ImageProblemCode;

  constructor(code: ImageProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Error for an image that does not exist in the engine or the registry that was searched. The message names the image
 * and quotes the registry.
 */
export class ImageNotFound extends EngineRefused {
  override name = 'ImageNotFound';
}

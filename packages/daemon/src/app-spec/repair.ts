/** What the reconciler of replicas asks of the deployment runner for an app that lost something at the engine. */

export interface RepairOptions {
  /** The image may be pulled if the engine has lost it; `false` after a pull that failed a short while ago. */
  mayPull: boolean;
  /** A container that the engine refuses to start is replaced by a new one. */
  mayReplace: boolean;
  /** Called when a container was removed, to be replaced. */
  onReplace: () => void;
}

/** A release cannot be repaired now. The message is the reason, in sentences for users. */
export class RepairFailed extends Error {
  override name = 'RepairFailed';
  /** The image is missing: only a pull, or a person, brings it back. */
  readonly imageIsMissing: boolean;

  constructor(message: string, options: ErrorOptions & { imageIsMissing?: boolean } = {}) {
    super(message, options);
    this.imageIsMissing = options.imageIsMissing ?? false;
  }
}

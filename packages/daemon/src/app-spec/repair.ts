/** Options with which the reconciler of replicas starts a repair of an app that lost something at the engine. */

export interface RepairOptions {
  /** Whether the repair may pull the image if the engine has lost it. `false` for some time after a failed pull. */
  mayPull: boolean;
  /** Whether the repair may replace a container that the engine refuses to start. */
  mayReplace: boolean;
  /** Called when the repair removes a container in order to replace it. */
  onReplace: () => void;
}

/** A release cannot be repaired now. The message is the reason, in sentences for users. */
export class RepairFailed extends Error {
  override name = 'RepairFailed';
  /** `true` if the image is missing: the app runs again only after a pull, or after a user provides the image. */
  readonly imageIsMissing: boolean;

  constructor(message: string, options: ErrorOptions & { imageIsMissing?: boolean } = {}) {
    super(message, options);
    this.imageIsMissing = options.imageIsMissing ?? false;
  }
}

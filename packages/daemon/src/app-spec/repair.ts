/** Options for the repair of an app whose containers, image or network are missing in the engine. */

export interface RepairOptions {
  /**
   * Whether the repair may pull the image if the engine no longer has it. The reconciler sets `false` for some time
   * after a failed pull.
   */
  mayPull: boolean;
  /** Whether the repair may remove and create a container again that the engine refuses to start. */
  mayReplace: boolean;
  /** Called when the repair removes a container in order to replace it. */
  onReplace: () => void;
}

/** Error for a release that cannot be repaired now. The message is the reason, as sentences for users. */
export class RepairFailed extends Error {
  override name = 'RepairFailed';
  /** `true` if the image is missing. The app runs again only after a pull, or after a user loads the image. */
  readonly imageIsMissing: boolean;

  constructor(message: string, options: ErrorOptions & { imageIsMissing?: boolean } = {}) {
    super(message, options);
    this.imageIsMissing = options.imageIsMissing ?? false;
  }
}

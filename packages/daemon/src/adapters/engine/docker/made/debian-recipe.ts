/**
 * Recipe of an image that is built from Debian packages. The hash of the recipe is the image's tag, so a changed recipe
 * makes a new image.
 */
export interface DebianImage {
  /** Image name. The image's repository is `davit/<name>`. */
  name: string;
  /**
   * Debian packages that contain the programs and files of the image. Packages with the necessary shared libraries are
   * added automatically.
   */
  packages: string[];
  /** Absolute paths of the programs that are copied from the Debian packages. */
  binaries: string[];
  entrypoint: string[];
  /**
   * Folders of the Debian packages that are copied completely into the image. The shared libraries that files in these
   * folders need are copied too.
   */
  folders?: string[];
  /** Files in `folders` are not copied into the image if their path contains one of these strings. */
  without?: string[];
  /**
   * Debian packages that the image does not need. They are not installed, even if other packages depend on them. Files
   * that need these packages are not copied into the image.
   */
  notNeeded?: string[];
  /** Additional files: a map from the path in the image to the content. All users can read these files. */
  files?: Record<string, string>;
  /** Symbolic links in the image. The key is the path of the link, the value is its target. */
  links?: Record<string, string>;
  env?: Record<string, string>;
  /** TCP ports that the image exposes. */
  ports?: number[];
  /**
   * Tag of the image. Default: the hash of this image definition. If the definition changes, an explicit tag moves from
   * the old image to the new image.
   */
  tag?: string;
  /**
   * Commands that test whether the image's programs start. Each command must exit with 0, without a network and without
   * capabilities.
   */
  check?: string[][];
  /**
   * Name of an environment variable of the daemon. An admin can set this variable to use another image. If Davit cannot
   * build its own image, the error message names this variable.
   */
  setting?: string;
}

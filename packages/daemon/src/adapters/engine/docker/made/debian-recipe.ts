/**
 * Definition (recipe) of an image that is built from Debian packages. The image tag is a hash of the recipe, so each
 * change of the recipe creates a new image.
 */
export interface DebianImage {
  /** Name of the image, whose repository is `davit/<name>`. */
  name: string;
  /**
   * Debian packages with the programs and files of the image. Packages with the needed shared libraries are added
   * automatically.
   */
  packages: string[];
  /** Absolute paths of the programs that are copied from the Debian packages. */
  binaries: string[];
  entrypoint: string[];
  /**
   * Folders of the Debian packages that are copied completely into the image. Shared libraries that files in these
   * folders need are copied too.
   */
  folders?: string[];
  /** Text patterns. A file in `folders` is not copied into the image if its path contains one of these texts. */
  without?: string[];
  /**
   * Debian packages that the image does not need. They are skipped even if other packages depend on them. Files that
   * need the skipped packages are not copied into the image.
   */
  notNeeded?: string[];
  /** Additional files in the image, as a map from path to content. All users can read these files. */
  files?: Record<string, string>;
  /** Symbolic links in the image. The key is the path of the link, and the value is the target of the link. */
  links?: Record<string, string>;
  env?: Record<string, string>;
  /** TCP ports that the image exposes. */
  ports?: number[];
  /**
   * Tag of the image. Default: the hash of the image definition. A fixed tag moves to the new image if the definition
   * changes.
   */
  tag?: string;
  /**
   * Commands that test whether the image's programs start. The commands run without a network and without capabilities,
   * and must exit with 0.
   */
  check?: string[][];
  /**
   * Environment variable of the daemon with which an admin can select another image. If Davit cannot build the image,
   * the error message names this variable.
   */
  setting?: string;
}

/** Version of the command `davit-template`. A test compares this version with `package.json`. */
export const VERSION = '0.1.0';

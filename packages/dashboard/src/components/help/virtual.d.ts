declare module 'virtual:help-pages' {
  export const GROUPS: readonly {
    title: string;
    pages: readonly {
      /** Last part of the page's URL path. */
      name: string;
      title: string;
      /** Path in `docs/`. */
      path: string;
      load: () => Promise<{ default: string }>;
    }[];
  }[];
}

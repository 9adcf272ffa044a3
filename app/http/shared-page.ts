/**
 * A route's `handle` when every visitor gets the same response, which may then be kept and shared: nothing in it is
 * personal, and no form in it bears a token.
 */
export type SharedPage = {
  shared: {
    /** The query parameters that the response depends on, in their canonical order; all others are ignored. */
    parameters: readonly string[];
    /** Whether it shows seats left, so that each sale makes it stale. */
    seats?: true;
  };
};

/**
 * The sentence for an act that may have been done: its answer was lost. `what` goes on from "We could not confirm", `then`
 * says what to do.
 */
export const unconfirmedText = (what: string, then: string) =>
  `We could not confirm ${what}: we lost the connection to our system. ${then}`;

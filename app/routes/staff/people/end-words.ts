import type { EndReason } from '#app/features/people/take-role.server.ts';

/** Why logins are ended, as the person who ends them chooses it. */
export const endWords: Record<EndReason, string> = {
  lost: 'Their phone or computer was lost',
  asked: 'They asked us to',
  strange: 'We saw a login that may not be theirs',
  left: 'They no longer work with us',
};

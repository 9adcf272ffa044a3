import { href } from 'react-router';

/** The first two pages of the two sign-ins: of the address, and of the code that was mailed to it. */
export const signInPaths = {
  player: { ask: href('/login'), code: href('/login/code') },
  staff: { ask: href('/staff/sign-in'), code: href('/staff/sign-in/code') },
};

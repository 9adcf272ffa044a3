/** The domain of the addresses that replace those of erased buyers. */
export const erasedDomain = '@bowerbird.invalid';

/** Whether an address replaces that of an erased buyer: nothing is mailed to it. */
export const isErased = (email: string): boolean => email.endsWith(erasedDomain);

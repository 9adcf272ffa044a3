/** Whether a path is a page for staff. */
export const isForStaff = (pathname: string): boolean => /^\/staff(\/|$)/.test(pathname);

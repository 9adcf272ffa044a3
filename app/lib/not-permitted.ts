/** Thrown when somebody tries to do or read more than their role includes; nothing is done. */
export class NotPermitted extends Error {
  /** The missing permission, as `area:verb`. */
  readonly permission: string;
  constructor(permission: string) {
    super(`${permission} is not permitted`);
    this.permission = permission;
  }
}

/** How one of the stores answered, and how long it took. */
export interface HealthCheck {
  ok: boolean;
  /** Milliseconds. */
  ms: number;
}

/** Whether everything that the service stands on answers. */
export interface Health {
  ok: boolean;
  checks: { database: HealthCheck; storage: HealthCheck; durableObjects: HealthCheck };
}

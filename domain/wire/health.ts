export interface HealthCheck {
  ok: boolean;
  /** Response time in milliseconds. */
  ms: number;
}

export interface Health {
  ok: boolean;
  checks: { database: HealthCheck; storage: HealthCheck; durableObjects: HealthCheck };
}

double dot(const double *a, const double *b, int n) { double s = 0;
#pragma omp parallel for simd reduction(+ : s) schedule(dynamic, 4)
  for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
int tasks(int n) { if (n < 2) return n; int x, y;
#pragma omp task shared(x)
  x = tasks(n - 1);
#pragma omp task shared(y) depend(out : y)
  y = tasks(n - 2);
#pragma omp taskwait
  return x + y; }
void sec(int *p) {
#pragma omp parallel sections num_threads(4)
  {
#pragma omp section
    p[0] = 1;
#pragma omp section
    {
#pragma omp atomic
      p[1] += 2;
#pragma omp critical
      p[2] = 3; } }
#pragma omp parallel
#pragma omp single nowait
  p[3] = 4;
#pragma omp barrier
}
void tgt(float *x, int n) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n])
  for (int i = 0; i < n; i++) x[i] *= 2; }
void ord(int *a, int n) {
#pragma omp parallel for ordered collapse(2)
  for (int i = 0; i < n; i++) for (int j = 0; j < 8; j++) {
#pragma omp ordered
      a[i * 8 + j] += j; } }

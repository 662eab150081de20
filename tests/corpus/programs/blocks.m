__attribute__((objc_root_class)) @interface R { int x; } - (int)get; + (id)make; @property (nonatomic) int p; @end
@interface S : R - (void)each:(void (^)(int))b; @end @protocol P - (void)q; @end
@implementation R - (int)get { return x + self.p; } + (id)make { return 0; } @end
@implementation S - (void)each:(void (^)(int))b { for (int i = 0; i < [self get]; i++) b(i); } @end
int use(S *s) { __block int t = 0; int k = 3; [s each:^(int i) { t += i * k; }]; @try { [s get]; } @catch (R *e) { t++; } @finally { t--; } @synchronized(s) { t = 2; } @autoreleasepool { [R make]; } return t; }
id strong(id a) { __weak id w = a; id b = w; return b; } const char *enc(void) { return @encode(struct { int a; float b[3]; }); }

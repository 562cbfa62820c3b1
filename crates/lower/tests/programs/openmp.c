/* Every OpenMP construct that lowering knows; the results do not depend on the number of threads. */
#include <stdio.h>
#include <omp.h>
static double tp; 
#pragma omp threadprivate(tp)
int fib(int n){ int a,b; if(n<2) return n;
 #pragma omp task shared(a) if(n>5)
 a=fib(n-1);
 #pragma omp task shared(b)
 b=fib(n-2);
 #pragma omp taskwait
 return a+b; }
struct P{double x[3];};
int main(void){
  int n=100,i,j; double a[100],s=0,mx=-1; long cnt=0; double hist[4]={0}; struct P p={{1,2,3}};
  #pragma omp parallel for schedule(static,4) num_threads(3)
  for(i=0;i<n;i++) a[i]=i*0.5;
  #pragma omp parallel for reduction(+:s) reduction(max:mx) default(none) shared(a,n)
  for(int k=0;k<n;k++){ if(k%7==0) continue; s+=a[k]; if(a[k]>mx) mx=a[k]; }
  #pragma omp parallel for collapse(2) private(j)
  for(i=0;i<10;i++) for(j=0;j<10;j++) { a[i*10+j]+=i*j; }
  #pragma omp parallel
  {
    int loc=0;
    #pragma omp for nowait
    for(int k=99;k>=0;k-=3) loc+=k;
    #pragma omp critical(foo)
    cnt+=loc;
    #pragma omp barrier
    #pragma omp single
    { cnt*=2; }
    #pragma omp master
    cnt+=1;
  }
  #pragma omp parallel for reduction(+:hist[:4])
  for(int k=0;k<n;k++) hist[k%4]+=a[k];
  double *hp=hist+0; int last=-1;
  #pragma omp parallel for reduction(+:hp[1:2]) lastprivate(last) firstprivate(p)
  for(int k=0;k<10;k++){ hp[1]+=1; hp[2]+=p.x[1]; last=k*k; }
  long at=0,old=0;
  #pragma omp parallel for
  for(int k=0;k<50;k++){
    #pragma omp atomic
    at+=k;
    #pragma omp atomic update
    a[k%3] = a[k%3] + 1;
  }
  #pragma omp atomic capture
  old = at++;
  #pragma omp atomic capture
  { old = at; at = at + 5; }
  long rd;
  #pragma omp atomic read
  rd = at;
  #pragma omp atomic write
  at = rd*2;
  #pragma omp parallel sections
  {
    #pragma omp section
    s+=1;
    #pragma omp section
    mx+=1;
  }
  int q;
  #pragma omp simd
  for(q=0;q<17;q+=2) a[q]+=1;
  int lp;
  #pragma omp parallel for lastprivate(lp)
  for(lp=10;lp>3;lp-=2) a[lp]+=1;
  int f;
  #pragma omp parallel
  #pragma omp single
  f=fib(10);
  #pragma omp parallel
  #pragma omp single
  {
   #pragma omp taskgroup
   { for(int z=0;z<4;z++){
     #pragma omp task firstprivate(z)
     { 
       #pragma omp atomic
       cnt += z; } } }
   #pragma omp taskloop grainsize(2)
   for(int z=0;z<4;z++) 
     #pragma omp atomic
     cnt += z;
  }
  #pragma omp parallel for ordered
  for(int k=0;k<3;k++){
    #pragma omp ordered
    printf("o%d\n",k);
  }
  for(i=0;i<100;i++) s+=a[i];
  printf("%g %g %ld %g %g %g %g %d %ld %ld %ld %d %d %d\n",s,mx,cnt,hist[0],hist[1],hist[2],hist[3],last,at,old,rd,q,lp,f);
}

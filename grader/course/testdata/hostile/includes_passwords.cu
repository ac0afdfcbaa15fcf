// Shows the machine's users in the compiler's messages.
// ends: build_failed
// because: /etc/passwd: No such file
// suspicion: include
#include "/etc/passwd"
